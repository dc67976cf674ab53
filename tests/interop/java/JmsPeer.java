// Qpid JMS, the AMQP 1.0 client that ships with Artemis: sends the messages of standard input to a queue, a line each, and then
// prints the messages that it receives from there in the same form. Fields are separated by tabs; each is the base64 of its text.
//
// Fields: kind (text, bytes, map, stream, none), body in hex, correlation id, type, priority, milliseconds to live, group, and
// name, type and value of each property. A map has its properties as entries, too, a stream their values.

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import javax.jms.BytesMessage;
import javax.jms.Connection;
import javax.jms.MapMessage;
import javax.jms.Message;
import javax.jms.MessageConsumer;
import javax.jms.MessageProducer;
import javax.jms.Queue;
import javax.jms.Session;
import javax.jms.StreamMessage;
import javax.jms.TextMessage;
import org.apache.qpid.jms.JmsConnectionFactory;

public class JmsPeer {
    public static void main(String[] arguments) throws Exception {
        try (Connection connection = new JmsConnectionFactory(arguments[0]).createConnection()) {
            connection.start();
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            Queue queue = session.createQueue(arguments[1]);
            MessageProducer producer = session.createProducer(queue);
            int count = 0;
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = in.readLine(); line != null; line = in.readLine(), count++) {
                List<String> fields = new ArrayList<>();
                for (String field : line.split("\t", -1)) {
                    fields.add(new String(Base64.getDecoder().decode(field), StandardCharsets.UTF_8));
                }
                producer.setPriority(Integer.parseInt(fields.get(4)));
                producer.setTimeToLive(Long.parseLong(fields.get(5)));
                producer.send(made(session, fields));
            }
            MessageConsumer consumer = session.createConsumer(queue);
            PrintStream out = new PrintStream(System.out, true, "UTF-8");
            for (int taken = 0; taken < count; taken++) {
                out.println(told(consumer.receive(20000)));
            }
        }
        System.exit(0);
    }

    private static Message made(Session session, List<String> fields) throws Exception {
        List<String> entries = fields.subList(7, fields.size());
        Message message;
        byte[] body = bytes(fields.get(1));
        switch (fields.get(0)) {
            case "text": message = session.createTextMessage(new String(body, StandardCharsets.UTF_8)); break;
            case "bytes": {
                BytesMessage made = session.createBytesMessage();
                made.writeBytes(body);
                message = made;
                break;
            }
            case "map": {
                MapMessage made = session.createMapMessage();
                for (int at = 0; at < entries.size(); at += 3) {
                    made.setObject(entries.get(at), value(entries.get(at + 1), entries.get(at + 2)));
                }
                message = made;
                break;
            }
            case "stream": {
                StreamMessage made = session.createStreamMessage();
                for (int at = 0; at < entries.size(); at += 3) {
                    made.writeObject(value(entries.get(at + 1), entries.get(at + 2)));
                }
                message = made;
                break;
            }
            default: message = session.createMessage();
        }
        message.setJMSCorrelationID(fields.get(2));
        message.setJMSType(fields.get(3));
        message.setStringProperty("JMSXGroupID", fields.get(6));
        for (int at = 0; at < entries.size(); at += 3) {
            message.setObjectProperty(entries.get(at), value(entries.get(at + 1), entries.get(at + 2)));
        }
        return message;
    }

    private static String told(Message message) throws Exception {
        List<String> fields = new ArrayList<>();
        List<String> entries = new ArrayList<>();
        List<?> names = Collections.list(message.getPropertyNames());
        for (Object name : new TreeSet<>(names)) {
            if (!name.toString().startsWith("JMSX")) {
                Object value = message.getObjectProperty(name.toString());
                add(entries, name.toString(), value);
                if (message instanceof MapMessage && !value.equals(((MapMessage) message).getObject(name.toString()))) {
                    throw new IllegalStateException("another entry " + name);
                }
            }
        }
        if (message instanceof StreamMessage) {
            for (int at = 0; at < entries.size(); at += 3) { // they were written in the order of their names
                List<String> read = new ArrayList<>();
                add(read, entries.get(at), ((StreamMessage) message).readObject());
                if (!read.equals(entries.subList(at, at + 3))) {
                    throw new IllegalStateException("another value of " + read);
                }
            }
        }
        byte[] body = {};
        if (message instanceof TextMessage) {
            body = ((TextMessage) message).getText().getBytes(StandardCharsets.UTF_8);
        } else if (message instanceof BytesMessage) {
            body = new byte[(int) ((BytesMessage) message).getBodyLength()];
            ((BytesMessage) message).readBytes(body);
        }
        fields.add(kind(message));
        fields.add(hex(body));
        fields.add(message.getJMSCorrelationID());
        fields.add(message.getJMSType());
        fields.add("" + message.getJMSPriority());
        fields.add("" + (message.getJMSExpiration() == 0 ? 0 : message.getJMSExpiration() - message.getJMSTimestamp()));
        fields.add(message.getStringProperty("JMSXGroupID"));
        fields.addAll(entries);
        StringBuilder line = new StringBuilder();
        for (String field : fields) {
            line.append(line.length() == 0 ? "" : "\t");
            line.append(Base64.getEncoder().encodeToString(field.getBytes(StandardCharsets.UTF_8)));
        }
        return line.toString();
    }

    private static String kind(Message message) {
        return message instanceof TextMessage ? "text" : message instanceof BytesMessage ? "bytes"
                : message instanceof MapMessage ? "map" : message instanceof StreamMessage ? "stream" : "none";
    }

    /** A value of a property; floats as their bits, so that no digit is lost. */
    private static Object value(String type, String text) {
        switch (type) {
            case "boolean": return Boolean.valueOf(text);
            case "byte": return Byte.valueOf(text);
            case "short": return Short.valueOf(text);
            case "int": return Integer.valueOf(text);
            case "long": return Long.valueOf(text);
            case "float": return Float.intBitsToFloat(Integer.parseUnsignedInt(text));
            case "double": return Double.longBitsToDouble(Long.parseUnsignedLong(text));
            default: return text;
        }
    }

    private static void add(List<String> entries, String name, Object value) {
        String type = value.getClass().getSimpleName().toLowerCase();
        String text = value instanceof Float ? Integer.toUnsignedString(Float.floatToRawIntBits((Float) value))
                : value instanceof Double ? Long.toUnsignedString(Double.doubleToRawLongBits((Double) value)) : value.toString();
        Collections.addAll(entries, name, type.equals("integer") ? "int" : type, text);
    }

    private static byte[] bytes(String hex) {
        byte[] made = new byte[hex.length() / 2];
        for (int at = 0; at < made.length; at++) {
            made[at] = (byte) Integer.parseInt(hex.substring(2 * at, 2 * at + 2), 16);
        }
        return made;
    }

    private static String hex(byte[] raw) {
        return raw.length == 0 ? "" : String.format("%0" + 2 * raw.length + "x", new BigInteger(1, raw));
    }
}
