CREATE TABLE `deliveries` (
	`event` text NOT NULL,
	`channel` text NOT NULL,
	`created_at` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` text,
	`sent_at` text,
	`outcome` text,
	`lease_owner` text,
	`lease_until` text,
	PRIMARY KEY(`event`, `channel`),
	FOREIGN KEY (`event`) REFERENCES `outbox`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`due_at`);--> statement-breakpoint
CREATE TABLE `delivery_attempts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event` text NOT NULL,
	`channel` text NOT NULL,
	`at` text NOT NULL,
	`ms` integer NOT NULL,
	`outcome` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `delivery_attempts_event` ON `delivery_attempts` (`event`,`id`);--> statement-breakpoint
CREATE INDEX `delivery_attempts_at` ON `delivery_attempts` (`at`);--> statement-breakpoint
CREATE TABLE `secrets` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `used_links` (
	`signature` text PRIMARY KEY NOT NULL,
	`lead` text NOT NULL,
	`at` text NOT NULL,
	FOREIGN KEY (`lead`) REFERENCES `leads`(`token`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `outbox` DROP COLUMN `attempts`;--> statement-breakpoint
ALTER TABLE `outbox` DROP COLUMN `sent_at`;--> statement-breakpoint
ALTER TABLE `outbox` DROP COLUMN `fault`;