CREATE TABLE `a2a_push_configs` (
	`id` text PRIMARY KEY NOT NULL,
	`task` text NOT NULL,
	`key` text NOT NULL,
	`config` text NOT NULL,
	`version` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`key`) REFERENCES `keys`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `a2a_push_configs_task` ON `a2a_push_configs` (`task`);--> statement-breakpoint
CREATE TABLE `__new_deliveries` (
	`event` text NOT NULL,
	`channel` text NOT NULL,
	`target` text DEFAULT '' NOT NULL,
	`lead` text NOT NULL,
	`created_at` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` text,
	`sent_at` text,
	`outcome` text,
	`lease_owner` text,
	`lease_until` text,
	PRIMARY KEY(`event`, `channel`, `target`),
	FOREIGN KEY (`event`) REFERENCES `outbox`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`lead`) REFERENCES `leads`(`token`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_deliveries`("event", "channel", "target", "lead", "created_at", "attempts", "due_at", "sent_at", "outcome", "lease_owner", "lease_until") SELECT "event", "channel", '', "lead", "created_at", "attempts", "due_at", "sent_at", "outcome", "lease_owner", "lease_until" FROM `deliveries`;--> statement-breakpoint
DROP TABLE `deliveries`;--> statement-breakpoint
ALTER TABLE `__new_deliveries` RENAME TO `deliveries`;--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`channel`,`due_at`) WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX `deliveries_age` ON `deliveries` (`created_at`,`channel`) WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX `deliveries_late` ON `deliveries` (`lead`) WHERE sent_at is null and channel not in ('person', 'callback', 'push') and coalesce(outcome, '') not in ('erased', 'settled');--> statement-breakpoint
CREATE INDEX `deliveries_ended` ON `deliveries` (`outcome`,`event`,`channel`) WHERE due_at is null and sent_at is null;