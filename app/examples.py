"""The examples that `--help` shows for each command. A test runs all of them."""

PROGRAM = """\
  mqconvert convert --from mqtt-5.0 --to amqp-1.0 docs/samples/mqtt-5.0.bin -o message.bin
  mqconvert explain --from mqtt-5.0 --to amqp-0.9.1 docs/samples/mqtt-5.0.bin
  mqconvert decode pulsar docs/samples/pulsar.bin
  mqconvert fidelity --from amqp-1.0 --to mqtt-5.0 --back
  mqconvert COMMAND --help    # more examples
"""

COMMANDS = {
    "convert": """\
  # wire bytes to wire bytes, and the outcome of every field on standard error
  mqconvert convert --from mqtt-5.0 --to amqp-1.0 --explain docs/samples/mqtt-5.0.bin -o message.bin
  # the converted message and its report as JSON
  mqconvert convert --from mqtt-5.0 --to amqp-1.0 --output-format json docs/samples/mqtt-5.0.bin
  # an archive of JSON lines, a message a line
  mqconvert convert --from mqtt-5.0 --to amqp-0.9.1 --format jsonl docs/samples/archive.jsonl -o converted.jsonl
  # from the output of decode
  mqconvert decode mqtt-5.0 docs/samples/mqtt-5.0.bin | mqconvert convert --from mqtt-5.0 --to nsq --address t --format json
""",
    "explain": """\
  mqconvert explain --from mqtt-5.0 --to amqp-0.9.1 docs/samples/mqtt-5.0.bin
  mqconvert explain --from amqp-1.0 --to mqtt-5.0 --address t --redact docs/samples/amqp-1.0.bin
  mqconvert explain --from mqtt-5.0 --to amqp-0.9.1 --output-format json docs/samples/mqtt-5.0.bin
""",
    "decode": """\
  mqconvert decode mqtt-5.0 docs/samples/mqtt-5.0.bin
  mqconvert decode pulsar --format json docs/samples/pulsar.bin
  mqconvert decode amqp-1.0 --format json --spans docs/samples/amqp-1.0.bin    # with the bytes of each place
  mqconvert decode rocketmq --option max_frame_size=1048576 docs/samples/rocketmq.bin
""",
    "encode": """\
  mqconvert decode nsq docs/samples/nsq.bin | mqconvert encode nsq -o again.bin
  echo '{"basic": {"headers": {"n": 5}}, "payload": {"text": "hi"}}' | mqconvert encode amqp-0.9.1 -o message.bin
  echo '{"protocol": "mqtt-5.0", "payload": "aGk="}' | mqconvert encode mqtt-5.0 --address sensors/1 -o publish.bin
""",
    "frames": """\
  printf 'SUB orders archive\\nRDY 100\\n' | mqconvert frames nsq
  printf 'NOP\\n' | mqconvert frames nsq | mqconvert frames nsq --encode
""",
    "fidelity": """\
  mqconvert fidelity --from amqp-1.0 --to mqtt-5.0
  mqconvert fidelity --from amqp-1.0 --to mqtt-5.0 --back --profile rabbitmq-4.3
  mqconvert fidelity --from amqp-1.0 --to nsq --back --payload envelope
  mqconvert fidelity --from nsq --to pulsar --format json
""",
    "protocols": """\
  mqconvert protocols
""",
    "routes": """\
  mqconvert routes
""",
    "batch": """\
  mqconvert batch --from mqtt-5.0 --to amqp-1.0 --input-format jsonl --input docs/samples/archive.jsonl --output converted
""",
    "move": """\
  # a file of one broker's messages for another broker
  mqconvert move mqtt-5.0:docs/samples/archive.jsonl amqp-1.0:moved.jsonl --refused refused.jsonl
  # from queue to queue until SIGTERM (passwords come from the environment: docs/move.md)
  mqconvert move 'amqp-0.9.1://localhost?queue=orders' 'amqp-1.0://localhost:5673?address=/queues/orders' --follow
  # messages on the disk of a broker that does not start
  mqconvert move rabbitmq-classic:msg_stores 'amqp-0.9.1://localhost?queue=orders'
""",
    "serve": """\
  mqconvert serve --port 8080 --workers 4
  MQCONVERT_TOKEN=secret mqconvert serve --host 0.0.0.0
""",
    "rules": """\
  mqconvert rules show mqtt-5.0 amqp-1.0
  mqconvert rules check mine.toml
""",
    "rules list": """\
  mqconvert rules list
  mqconvert rules list --profile rabbitmq-4.3
""",
    "rules check": """\
  mqconvert rules check mine.toml
""",
    "rules show": """\
  mqconvert rules show mqtt-5.0 amqp-1.0
  mqconvert rules show amqp-1.0 amqp-0.9.1 --profile rabbitmq-4.0
""",
    "rules source": """\
  mqconvert rules source mqtt-5.0 amqp-1.0
""",
    "completion": """\
  # once: pip install 'mqconvert[completion]'; then for this shell, or in its startup file:
  source <(mqconvert completion bash)
  source <(mqconvert completion zsh)
  mqconvert completion fish | source
""",
}
