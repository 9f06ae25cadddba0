CREATE TABLE `callbacks` (
	`lead` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`key` text NOT NULL,
	FOREIGN KEY (`lead`) REFERENCES `leads`(`token`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`key`) REFERENCES `keys`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
DROP INDEX `deliveries_late`;--> statement-breakpoint
CREATE INDEX `deliveries_late` ON `deliveries` (`lead`) WHERE sent_at is null and channel not in ('person', 'callback') and coalesce(outcome, '') not in ('erased', 'settled');--> statement-breakpoint
ALTER TABLE `keys` ADD `callback_secret` text;