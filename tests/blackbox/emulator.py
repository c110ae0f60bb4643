"""Functions behind cargo-lambda's runtime API, and what they are invoked with."""

import json
import os
import subprocess
import sys
import time

from services import BINARIES, ROOT, Process


def new_pool(cognito, name):
    """A pool with the attributes of the models. moto describes a pool with those alone that it was made with."""
    mark = {"Name": "instep", "AttributeDataType": "String", "Mutable": False}
    email = {"Name": "email", "AttributeDataType": "String", "Mutable": True}
    return cognito.create_user_pool(PoolName=name, Schema=[mark, email])["UserPool"]["Id"]


def record(table, sequence, keys, new, at):
    """The stream record of an item that was created."""
    body = {"ApproximateCreationDateTime": at, "Keys": keys, "NewImage": new, "SequenceNumber": str(sequence), "SizeBytes": 1}
    body["StreamViewType"] = "NEW_AND_OLD_IMAGES"
    return {
        "eventID": str(sequence), "eventName": "INSERT", "eventVersion": "1.1", "eventSource": "aws:dynamodb", "awsRegion": "us-east-1",
        "dynamodb": body, "eventSourceARN": f"arn:aws:dynamodb:us-east-1:000000000000:table/{table}/stream/2026-01-01T00:00:00.000",
    }


class Emulator:
    """cargo-lambda's runtime API with functions behind it, each by the name of its binary."""

    def __init__(self, services, environment, names):
        self.services, self.functions = services, {}
        self.port = services.emulator(ROOT)
        for name in names:
            own = {"AWS_LAMBDA_RUNTIME_API": f"http://127.0.0.1:{self.port}/.rt/{name}", "AWS_LAMBDA_FUNCTION_NAME": name}
            self.functions[name] = Process(name, [os.path.join(BINARIES, name)], {**environment, **own}, services.folder)
            services.processes.append(self.functions[name])
        time.sleep(1)
        for function in self.functions.values():
            assert function.process.poll() is None, function.tail()

    def invoke(self, name, path):
        command = [
            os.path.join(os.path.dirname(sys.executable), "cargo-lambda"), "lambda", "invoke",
            "-A", "127.0.0.1", "-P", str(self.port), name, "--data-file", path,
        ]
        ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=120)
        assert ran.returncode == 0, (name, path, ran.stdout, ran.stderr, self.functions[name].tail())
        return json.loads(ran.stdout)

    def deliver_work(self, sqs, work):
        """Hands the messages of the work queue to the work function, until there are none. Returns how many there were."""
        count = 0
        while messages := sqs.receive_message(QueueUrl=work, MaxNumberOfMessages=10, AttributeNames=["All"]).get("Messages"):
            event = [
                {"messageId": m["MessageId"], "receiptHandle": m["ReceiptHandle"], "body": m["Body"], "attributes": m["Attributes"],
                 "messageAttributes": {}, "md5OfBody": m["MD5OfBody"], "eventSource": "aws:sqs", "awsRegion": "us-east-1"}
                for m in messages
            ]
            path = os.path.join(self.services.folder, "work.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"Records": event}, file)
            answer = self.invoke("work", path)
            assert answer == {"batchItemFailures": []}, (answer, self.functions["work"].tail())
            for message in messages:
                sqs.delete_message(QueueUrl=work, ReceiptHandle=message["ReceiptHandle"])
            count += len(messages)
        return count
