import { createServer } from 'node:http';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import type { Meter } from '@opentelemetry/api';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import type { OnAttempt } from '../leads/deliveries/deliver.ts';
import type { Context } from '../operation/context.ts';
import { countLeads, countOverdueLeads } from '../leads/lists/lead-statistics.ts';
import { readOutboxState } from '../leads/deliveries/outbox-state.ts';
import { checkWrites } from './health.ts';
import { close, METRICS_HOST, openPort } from './listen.ts';

export interface FinishedRequest {
  method: string;
  /** Pattern of the route, never an address; `document` for the memory tier. */
  route: string;
  status: number;
  ms: number;
}

export interface Metrics {
  onResponse: (request: FinishedRequest) => void;
  onAttempt: OnAttempt;
  /** Port of the endpoint. */
  port: number;
  stop: () => Promise<void>;
}

const DURATION_BUCKETS_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

function observeDatabase(meter: Meter, context: Context): void {
  const createGauge = (name: string, description: string) =>
    meter.createObservableGauge(`frontage.${name}`, { description });
  const gauges = {
    leads: createGauge('leads', 'Leads by subsite and state.'),
    overdue: createGauge('leads.overdue', 'Leads whose answer is overdue.'),
    diskLow: createGauge(
      'disk.low',
      '1 while new leads are refused because the disk is nearly full, otherwise 0.',
    ),
    writesFailing: createGauge(
      'writes.failing',
      '1 while the database cannot be written to, otherwise 0.',
    ),
    undelivered: createGauge('outbox.undelivered', 'Events not delivered yet.'),
    oldest: createGauge(
      'outbox.oldest_seconds',
      'Age of the oldest event not delivered yet, in seconds.',
    ),
    givenUp: createGauge('outbox.given_up', 'Deliveries that failed for good.'),
    unaddressed: createGauge('outbox.unaddressed', 'Leads without a delivery address.'),
    undeliveredToPeople: createGauge(
      'outbox.undelivered_to_people',
      'Emails to customers not delivered yet, including those that failed.',
    ),
  };
  meter.addBatchObservableCallback(async (result) => {
    const [counts, overdueCount, outbox, { isLowOnSpace, canWrite }] = await Promise.all([
      countLeads(context),
      countOverdueLeads(context),
      readOutboxState(context),
      checkWrites(context.database),
    ]);
    for (const { subsite, status, count } of counts)
      result.observe(gauges.leads, count, { subsite, status });
    result.observe(gauges.overdue, overdueCount);
    result.observe(gauges.diskLow, isLowOnSpace ? 1 : 0);
    result.observe(gauges.writesFailing, canWrite ? 0 : 1);
    result.observe(gauges.undelivered, outbox.undelivered);
    result.observe(gauges.oldest, outbox.oldestSeconds);
    result.observe(gauges.givenUp, outbox.givenUp);
    result.observe(gauges.unaddressed, outbox.unaddressed);
    result.observe(gauges.undeliveredToPeople, outbox.personMail.undelivered);
  }, Object.values(gauges));
}

/**
 * Metrics in the Prometheus text format at /metrics on a loopback port. Names follow
 * OpenTelemetry's semantic conventions where possible; database figures are read on request.
 * @throws {StartError} when the port is unavailable
 */
export async function startMetrics(port: number, context: Context): Promise<Metrics> {
  const exporter = new PrometheusExporter({
    preventServerStart: true,
    withoutScopeInfo: true,
    withoutTargetInfo: true,
  });
  const provider = new MeterProvider({ readers: [exporter] });
  const meter = provider.getMeter('frontage');

  const durations = meter.createHistogram('http.server.request.duration', {
    description: 'Time from a request to the end of its response.',
    unit: 's',
    advice: { explicitBucketBoundaries: DURATION_BUCKETS_SECONDS },
  });
  const attempts = meter.createCounter('frontage.delivery.attempts', {
    description: 'Delivery attempts, by channel and outcome.',
  });
  observeDatabase(meter, context);

  const server = createServer((request, response) => {
    if (request.url === '/metrics') exporter.getMetricsRequestHandler(request, response);
    else response.writeHead(404).end();
  });
  await openPort(server, METRICS_HOST, port, 'METRICS_PORT');
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    onResponse: ({ method, route, status, ms }) =>
      durations.record(ms / 1000, {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
      }),
    onAttempt: (attempt) => attempts.add(1, { ...attempt }),
    async stop() {
      await close(server, 1_000);
      await provider.shutdown().catch(() => undefined);
    },
  };
}
