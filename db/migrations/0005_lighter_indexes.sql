DROP INDEX `leads_counts`;--> statement-breakpoint
DROP INDEX `leads_import_key`;--> statement-breakpoint
DROP INDEX `leads_subsite`;--> statement-breakpoint
DROP INDEX `leads_email`;--> statement-breakpoint
DROP INDEX `leads_phone`;--> statement-breakpoint
CREATE UNIQUE INDEX `leads_import_key` ON `leads` (`import_key`) WHERE import_key is not null;--> statement-breakpoint
CREATE INDEX `leads_subsite` ON `leads` (`subsite`,`created_at`,`status`);--> statement-breakpoint
CREATE INDEX `leads_email` ON `leads` (`contact_email`,`created_at`) WHERE contact_email is not null;--> statement-breakpoint
CREATE INDEX `leads_phone` ON `leads` (`contact_phone`,`created_at`) WHERE contact_phone is not null;