import { App, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { UserPool } from 'aws-cdk-lib/aws-cognito';
import { AttributeType, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Instep } from './instep';

// `instep template stack MODEL --alarm-topic --out instep.json` makes the template.

const app = new App();
const stack = new Stack(app, 'Application');
const table = new Table(stack, 'Table', {
  partitionKey: { name: 'pk', type: AttributeType.STRING },
  sortKey: { name: 'sk', type: AttributeType.STRING },
  stream: StreamViewType.NEW_AND_OLD_IMAGES,
  timeToLiveAttribute: 'instepTtl',
  removalPolicy: RemovalPolicy.RETAIN,
});
new Instep(stack, 'Instep', {
  template: app.node.getContext('template'),
  functions: app.node.getContext('functions'),
  model: app.node.tryGetContext('model'),
  table,
  userPool: new UserPool(stack, 'Users'),
  eventBus: new EventBus(stack, 'Events'),
  alarmTopic: new Topic(stack, 'Alarms'),
  parameters: { CognitoRate: 10 },
});
