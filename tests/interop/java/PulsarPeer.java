// Pulsar's own Java client, which has transactions: it commits some messages and aborts as many.

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.TypedMessageBuilder;
import org.apache.pulsar.client.api.transaction.Transaction;

public class PulsarPeer {
    private static PulsarClient client;
    private static Producer<byte[]> producer;

    public static void main(String[] arguments) throws Exception {
        int count = Integer.parseInt(arguments[2]);
        client = PulsarClient.builder().serviceUrl(arguments[0]).enableTransaction(true).build();
        Consumer<byte[]> consumer = client.newConsumer().topic(arguments[1]).subscriptionName("archive")
                .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest).subscribe();
        producer = client.newProducer().topic(arguments[1]).sendTimeout(0, TimeUnit.SECONDS)
                .enableBatching(arguments[3].equals("batched")).batchingMaxPublishDelay(1, TimeUnit.SECONDS).create();
        send("committed", count).commit().get(60, TimeUnit.SECONDS);
        send("aborted", count).abort().get(60, TimeUnit.SECONDS);
        for (int at = 0; at < count; at++) {
            Transaction acknowledged = begun();
            Message<byte[]> message = consumer.receive(60, TimeUnit.SECONDS);
            consumer.acknowledgeAsync(message.getMessageId(), acknowledged).get(60, TimeUnit.SECONDS);
            acknowledged.commit().get(60, TimeUnit.SECONDS);
            say("received", message.getProperty("transaction"), new String(message.getData(), StandardCharsets.UTF_8));
        }
        System.exit(0);
    }

    private static Transaction begun() throws Exception {
        return client.newTransaction().withTransactionTimeout(1, TimeUnit.MINUTES).build().get(60, TimeUnit.SECONDS);
    }

    /** All without waiting for one before the next, so that they make a batch. */
    private static Transaction send(String text, int count) throws Exception {
        Transaction transaction = begun();
        String name = transaction.getTxnID().getMostSigBits() + ":" + transaction.getTxnID().getLeastSigBits();
        List<CompletableFuture<?>> sent = new ArrayList<>();
        for (int at = 0; at < count; at++) {
            TypedMessageBuilder<byte[]> message = producer.newMessage(transaction).property("transaction", name);
            message = at % 2 == 0 ? message.key("k") : message.keyBytes(new byte[] {(byte) 0xFF, (byte) at});
            sent.add(message.orderingKey(new byte[] {(byte) 0xFE}).value((text + " " + at).getBytes(StandardCharsets.UTF_8)).sendAsync());
        }
        producer.flush();
        for (CompletableFuture<?> each : sent) {
            each.get(60, TimeUnit.SECONDS);
        }
        say("sent", name, text);
        return transaction;
    }

    private static void say(String... words) {
        System.out.println(String.join("\t", words));
        System.out.flush();
    }
}
