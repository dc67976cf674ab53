// A RocketMQ broker without replicas: the service for them listens on all addresses, which no setting changes.

import org.apache.rocketmq.store.ha.DefaultHAService;

public class Alone extends DefaultHAService {
    @Override
    public void start() {
    }
}
