//! What a stack has for snapshots on a schedule: a state machine that has the sweep function send one, part by part.

use instep_doctor::access::Resource;
use instep_model::Model;

use super::policies;
use super::table::quoted;

/// The resources. What is known between two invocations is in the bucket.
const RESOURCES: &str = r#"# Snapshots ----------------------------------------------------------------------------------------

SnapshotMachine:
  Type: AWS::Serverless::StateMachine
  Properties:
    Type: STANDARD
    Role: !GetAtt SnapshotMachineRole.Arn
    DefinitionSubstitutions:
      Function: !GetAtt SweepFunction.Arn
      Partition: !Ref AWS::Partition
    Definition:
      StartAt: Send
      States:
        Send:
          Type: Task
          Resource: arn:${Partition}:states:::lambda:invoke
          Parameters:
            FunctionName: ${Function}
            Payload: { do: snapshot, startedAt.$: $$.Execution.StartTime }
          ResultSelector: { over.$: $.Payload.over }
          TimeoutSeconds: 960
          # A service may fail for six hours, as with the work queue.
          Retry:
            - { ErrorEquals: [Instep.InvalidInput, Instep.SnapshotRefused], MaxAttempts: 0 }
            - { ErrorEquals: [States.ALL], IntervalSeconds: 5, BackoffRate: 2, MaxDelaySeconds: 600, MaxAttempts: 40, JitterStrategy: FULL }
          Catch:
            - { ErrorEquals: [States.ALL], ResultPath: $.failed, Next: EndIncomplete }
          Next: IsOver
        IsOver:
          Type: Choice
          Choices:
            - { Variable: $.over, BooleanEquals: true, Next: Over }
          Default: Send
        # Subscribers then delete nothing.
        EndIncomplete:
          Type: Task
          Resource: arn:${Partition}:states:::lambda:invoke
          Parameters:
            FunctionName: ${Function}
            Payload: { do: endSnapshot, startedAt.$: $$.Execution.StartTime }
          ResultPath: null
          TimeoutSeconds: 960
          Retry:
            - { ErrorEquals: [States.ALL], IntervalSeconds: 5, BackoffRate: 2, MaxDelaySeconds: 600, MaxAttempts: 40, JitterStrategy: FULL }
          Next: Incomplete
        Incomplete: { Type: Fail, Error: SnapshotIncomplete, CausePath: $.failed.Cause }
        Over: { Type: Succeed }

SnapshotMachineRole:
  Type: AWS::IAM::Role
  Properties:
    AssumeRolePolicyDocument:
      Version: "2012-10-17"
      Statement:
        - Effect: Allow
          Principal: { Service: states.amazonaws.com }
          Action: sts:AssumeRole
    Policies:
      - PolicyName: send
        PolicyDocument:
          Version: "2012-10-17"
          Statement:
            - Effect: Allow
              Action: lambda:InvokeFunction
              Resource: !GetAtt SweepFunction.Arn

# The sweep function reads the table anyway. Only a stack with snapshots lets it put events.
SnapshotPolicy:
  Type: AWS::IAM::Policy
  Properties:
    PolicyName: snapshots
    Roles: [!Ref SweepRole]
    PolicyDocument:
      Version: "2012-10-17"
      Statement:
        - Effect: Allow
          Action: events:PutEvents
          Resource: BUS

SnapshotRule:
  Type: AWS::Events::Rule
  Properties:
    ScheduleExpression: SCHEDULE
    Targets:
      - Id: snapshot
        Arn: !Ref SnapshotMachine
        RoleArn: !GetAtt SnapshotRuleRole.Arn

SnapshotRuleRole:
  Type: AWS::IAM::Role
  Properties:
    AssumeRolePolicyDocument:
      Version: "2012-10-17"
      Statement:
        - Effect: Allow
          Principal: { Service: events.amazonaws.com }
          Action: sts:AssumeRole
    Policies:
      - PolicyName: start
        PolicyDocument:
          Version: "2012-10-17"
          Statement:
            - Effect: Allow
              Action: states:StartExecution
              Resource: !Ref SnapshotMachine

SnapshotFailedAlarm:
  Type: AWS::CloudWatch::Alarm
  Properties:
    AlarmDescription: A scheduled snapshot ended before it was complete. Runbook/SnapshotFailed.
    Namespace: AWS/States
    MetricName: ExecutionsFailed
    Dimensions: [{ Name: StateMachineArn, Value: !Ref SnapshotMachine }]
    Statistic: Sum
    Period: 3600
    EvaluationPeriods: 1
    Threshold: 0
    ComparisonOperator: GreaterThanThreshold
    TreatMissingData: notBreaching
    AlarmActions: !If [HasAlarmTopic, [!Ref AlarmTopicArn], !Ref AWS::NoValue]

SnapshotNotStartedAlarm:
  Type: AWS::CloudWatch::Alarm
  Properties:
    AlarmDescription: EventBridge could not start a scheduled snapshot. Runbook/SnapshotNotStarted.
    Namespace: AWS/Events
    MetricName: FailedInvocations
    Dimensions: [{ Name: RuleName, Value: !Ref SnapshotRule }]
    Statistic: Sum
    Period: 3600
    EvaluationPeriods: 1
    Threshold: 0
    ComparisonOperator: GreaterThanThreshold
    TreatMissingData: notBreaching
    AlarmActions: !If [HasAlarmTopic, [!Ref AlarmTopicArn], !Ref AWS::NoValue]
"#;

/// The resources of a stack with snapshots on this schedule.
pub(super) fn resources(model: &Model, schedule: &str) -> Vec<String> {
    let text = RESOURCES.replace("SCHEDULE", &quoted(schedule)).replace("BUS", &policies::arn(model, Resource::Bus));
    text.lines().map(str::to_owned).collect()
}
