DROP INDEX `leads_erase`;--> statement-breakpoint
CREATE INDEX `leads_counts` ON `leads` (`subsite`,`status`);--> statement-breakpoint
CREATE INDEX `leads_erase` ON `leads` (`erase_at`) WHERE status <> 'erased';--> statement-breakpoint
DROP INDEX `deliveries_due`;--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`due_at`,`sent_at`);