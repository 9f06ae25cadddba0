CREATE TABLE `demand` (
	`id` text PRIMARY KEY NOT NULL,
	`topic` text NOT NULL,
	`question` text NOT NULL,
	`at` text NOT NULL,
	`erase_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `demand_topic` ON `demand` (`topic`,`at`);--> statement-breakpoint
CREATE INDEX `demand_erase` ON `demand` (`erase_at`);--> statement-breakpoint
CREATE TABLE `keys` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text,
	`revoked_at` text,
	`last_used_at` text
);
--> statement-breakpoint
CREATE TABLE `ledger_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`transfer` text NOT NULL,
	`account` text NOT NULL,
	`amount` integer NOT NULL,
	`balance` integer NOT NULL,
	`currency` text NOT NULL,
	`at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_once` ON `ledger_entries` (`transfer`,`account`);--> statement-breakpoint
CREATE INDEX `ledger_account` ON `ledger_entries` (`account`,`id`);--> statement-breakpoint
CREATE TABLE `quotes` (
	`id` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`capability` text NOT NULL,
	`input_digest` text NOT NULL,
	`currency` text NOT NULL,
	`amount` integer NOT NULL,
	`breakdown` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	FOREIGN KEY (`key`) REFERENCES `keys`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `quotes_expires` ON `quotes` (`expires_at`);--> statement-breakpoint
CREATE TABLE `tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`capability` text NOT NULL,
	`input_digest` text NOT NULL,
	`input` text,
	`quote` text,
	`max_amount` integer,
	`currency` text NOT NULL,
	`amount` integer NOT NULL,
	`status` text NOT NULL,
	`result` text,
	`error` text,
	`receipt` text,
	`idempotency_key` text,
	`job` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`ended_at` text,
	`due_at` text,
	`deadline` text NOT NULL,
	`lease_owner` text,
	`lease_until` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`result_until` text,
	FOREIGN KEY (`key`) REFERENCES `keys`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`quote`) REFERENCES `quotes`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tasks_quote` ON `tasks` (`quote`);--> statement-breakpoint
CREATE INDEX `tasks_due` ON `tasks` (`due_at`);--> statement-breakpoint
CREATE INDEX `tasks_key` ON `tasks` (`key`,`created_at`);--> statement-breakpoint
CREATE INDEX `tasks_result` ON `tasks` (`result_until`);