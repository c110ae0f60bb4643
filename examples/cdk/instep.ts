import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { IUserPool } from 'aws-cdk-lib/aws-cognito';
import { IEventBus } from 'aws-cdk-lib/aws-events';
import { CfnFunction, CfnLayerVersion } from 'aws-cdk-lib/aws-lambda';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { ITopic } from 'aws-cdk-lib/aws-sns';
import { CfnInclude } from 'aws-cdk-lib/cloudformation-include';
import { Construct } from 'constructs';

export interface InstepProps {
  /** What `instep template stack MODEL` wrote, without `--create`. */
  readonly template: string;
  /** The unpacked functions of the release, `functions-VERSION-ARCHITECTURE`. */
  readonly functions: string;
  /** The folder of the model's file. None for a model that is part of Instep. */
  readonly model?: string;
  /** A table with a stream of new and old images. */
  readonly table: ITable;
  /** For a model with users or groups of Cognito. */
  readonly userPool?: IUserPool;
  readonly eventBus: IEventBus;
  /** For a template that was written with `--alarm-topic`. */
  readonly alarmTopic?: ITopic;
  /** Other parameters of the template, such as `Sweep`. */
  readonly parameters?: Readonly<Record<string, string | number>>;
}

/** Instep behind a table: the generated template, with its code as assets. */
export class Instep extends Construct {
  readonly template: CfnInclude;

  constructor(scope: Construct, id: string, props: InstepProps) {
    super(scope, id);
    const stream = props.table.tableStreamArn;
    if (stream === undefined) throw new Error('Instep needs a table with a stream: set `stream` to NEW_AND_OLD_IMAGES');
    const architecture = /^functions-.+-(arm64|x86_64)$/.exec(basename(props.functions))?.[1];
    if (architecture === undefined) throw new Error(`Instep needs a folder functions-VERSION-ARCHITECTURE, not ${props.functions}`);
    this.template = new CfnInclude(this, 'Template', {
      templateFile: props.template,
      parameters: {
        ...props.parameters,
        Architecture: architecture,
        // Assets replace what these lead to.
        CodeBucket: '',
        CodePrefix: '',
        TableStreamArn: stream,
        EventBusName: props.eventBus.eventBusName,
        ...(props.userPool && { UserPoolId: props.userPool.userPoolId }),
        ...(props.alarmTopic && { AlarmTopicArn: props.alarmTopic.topicArn }),
      },
    });
    this.addCode(props);
  }

  private addCode(props: InstepProps): void {
    const written: { Resources: Record<string, { Type: string; Properties: { Code: { S3Key: { 'Fn::Sub': string } } } }> } =
      JSON.parse(readFileSync(props.template, 'utf8'));
    for (const [name, resource] of Object.entries(written.Resources)) {
      if (resource.Type === 'AWS::Lambda::Function') {
        const key = resource.Properties.Code.S3Key['Fn::Sub'];
        const asset = new Asset(this, name, { path: join(props.functions, basename(key)) });
        const code = this.template.getResource(name) as CfnFunction;
        code.code = { s3Bucket: asset.s3BucketName, s3Key: asset.s3ObjectKey };
      } else if (resource.Type === 'AWS::Lambda::LayerVersion') {
        if (props.model === undefined) throw new Error('Instep needs the folder of the model: set `model`');
        const asset = new Asset(this, name, { path: props.model });
        const layer = this.template.getResource(name) as CfnLayerVersion;
        layer.content = { s3Bucket: asset.s3BucketName, s3Key: asset.s3ObjectKey };
      }
    }
  }
}
