DROP INDEX `deliveries_late`;--> statement-breakpoint
CREATE INDEX `deliveries_late` ON `deliveries` (`lead`) WHERE sent_at is null and channel <> 'person' and coalesce(outcome, '') not in ('erased', 'settled');--> statement-breakpoint
ALTER TABLE `leads` ADD `notify` integer DEFAULT true NOT NULL;