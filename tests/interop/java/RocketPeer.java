// RocketMQ's own client as a process: a command a line on standard input, an answer a line on standard output.
// Fields are separated by tabs; each is the base64 of its bytes, texts in UTF-8.

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.producer.LocalTransactionState;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.TransactionListener;
import org.apache.rocketmq.client.producer.TransactionMQProducer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageExt;

public class RocketPeer {
    /** Topic, queue and offset of the messages that were taken. */
    private static final Set<String> TAKEN = new HashSet<>();
    private static final PrintStream OUT = System.out;

    public static void main(String[] arguments) {
        System.setOut(System.err);
        try {
            serve(arguments);
        } catch (Exception error) { // the client's threads would keep the process
            say(("failed\t" + error + "\t" + error.getCause()).replace('\n', ' '));
            System.exit(1);
        }
    }

    private static void serve(String[] arguments) throws Exception {
        String names = arguments[0];
        TransactionMQProducer producer = new TransactionMQProducer("peer-producer");
        producer.setNamesrvAddr(names);
        producer.setSendMsgTimeout(60000); // of all tries together: the first waits for the JVM of a busy machine
        producer.setCompressMsgBodyOverHowmuch(Integer.parseInt(arguments[1]));
        producer.setTransactionListener(new Transactions());
        producer.start();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        say("ready");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] fields = line.split("\t", -1);
            switch (fields[0]) {
                case "send": said(producer.send(message(fields, 1))); break;
                case "transaction": said(producer.sendMessageInTransaction(message(fields, 1), null)); break;
                case "batch": {
                    List<Message> batch = new ArrayList<>();
                    for (int left = Integer.parseInt(fields[1]); left > 0; left--) {
                        batch.add(message(in.readLine().split("\t", -1), 1));
                    }
                    said(producer.send(batch));
                    break;
                }
                case "take": take(names, text(fields[1]), Integer.parseInt(fields[2])); break;
                default: throw new IllegalArgumentException(fields[0]);
            }
        }
        producer.shutdown();
        System.exit(0);
    }

    private static Message message(String[] fields, int at) {
        Message made = new Message(text(fields[at]), bytes(fields[at + 3]));
        made.setFlag(Integer.parseInt(fields[at + 1]));
        int delay = Integer.parseInt(fields[at + 2]);
        if (delay > 0) {
            made.setDelayTimeLevel(delay);
        }
        for (int each = at + 4; each + 1 < fields.length; each += 2) {
            String name = text(fields[each]);
            if (name.equals("TAGS")) {
                made.setTags(text(fields[each + 1]));
            } else if (name.equals("KEYS")) {
                made.setKeys(text(fields[each + 1]));
            } else {
                MessageAccessor.putProperty(made, name, text(fields[each + 1])); // the names of RocketMQ's own, too
            }
        }
        return made;
    }

    private static void take(String names, String topic, int count) throws Exception {
        DefaultLitePullConsumer consumer = new DefaultLitePullConsumer("peer-" + topic);
        consumer.setNamesrvAddr(names);
        consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
        consumer.subscribe(topic, "*");
        consumer.start();
        long end = System.currentTimeMillis() + 60000;
        for (int taken = 0; taken < count && System.currentTimeMillis() < end; ) {
            for (MessageExt each : consumer.poll(1000)) {
                // On a busy machine the broker may deliver a message twice, before it learns of the offset.
                if (TAKEN.add(topic + " " + each.getQueueId() + " " + each.getQueueOffset())) {
                    taken++;
                    tell(each);
                }
            }
        }
        consumer.commit();
        consumer.shutdown();
        say("end");
    }

    private static void tell(MessageExt each) {
        StringBuilder line = new StringBuilder("message");
        String[] texts = {
            each.getMsgId(), each.getTopic(), "" + each.getFlag(), "" + each.getSysFlag(), "" + each.getBornTimestamp(),
            "" + each.getStoreTimestamp(), "" + each.getQueueId(), "" + each.getQueueOffset(), "" + each.getCommitLogOffset(),
            "" + each.getReconsumeTimes(), "" + each.getPreparedTransactionOffset(), each.getBornHostString(),
        };
        for (String text : texts) {
            line.append('\t').append(base64(text.getBytes(StandardCharsets.UTF_8)));
        }
        line.append('\t').append(base64(each.getBody() == null ? new byte[0] : each.getBody()));
        for (Map.Entry<String, String> property : new TreeMap<>(each.getProperties()).entrySet()) {
            line.append('\t').append(base64(property.getKey().getBytes(StandardCharsets.UTF_8)));
            line.append('\t').append(base64(property.getValue().getBytes(StandardCharsets.UTF_8)));
        }
        say(line.toString());
    }

    private static void said(SendResult result) {
        say(result.getSendStatus().toString());
    }

    private static void say(String line) {
        OUT.println(line);
        OUT.flush();
    }

    private static String text(String field) {
        return new String(bytes(field), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String field) {
        return Base64.getDecoder().decode(field);
    }

    private static String base64(byte[] raw) {
        return Base64.getEncoder().encodeToString(raw);
    }

    private static class Transactions implements TransactionListener {
        @Override
        public LocalTransactionState executeLocalTransaction(Message message, Object argument) {
            boolean undone = message.getProperty("roll-back") != null;
            return undone ? LocalTransactionState.ROLLBACK_MESSAGE : LocalTransactionState.COMMIT_MESSAGE;
        }

        @Override
        public LocalTransactionState checkLocalTransaction(MessageExt message) {
            return LocalTransactionState.COMMIT_MESSAGE;
        }
    }
}
