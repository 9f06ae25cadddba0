CREATE TABLE `holds` (
	`lead` text PRIMARY KEY NOT NULL,
	`catalog` text NOT NULL,
	`item` text NOT NULL,
	`unit` integer NOT NULL,
	`from_day` text NOT NULL,
	`to_day` text NOT NULL,
	`expires_at` text,
	`released_at` text,
	FOREIGN KEY (`lead`) REFERENCES `leads`(`token`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `holds_item` ON `holds` (`catalog`,`item`,`to_day`);--> statement-breakpoint
CREATE TABLE `idempotency` (
	`scope` text NOT NULL,
	`key` text NOT NULL,
	`digest` text NOT NULL,
	`response` text NOT NULL,
	`subject` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	PRIMARY KEY(`scope`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_expires` ON `idempotency` (`expires_at`);--> statement-breakpoint
CREATE INDEX `idempotency_subject` ON `idempotency` (`subject`);--> statement-breakpoint
CREATE TABLE `lead_history` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`lead` text NOT NULL,
	`status` text NOT NULL,
	`at` text NOT NULL,
	`actor` text NOT NULL,
	`note` text,
	FOREIGN KEY (`lead`) REFERENCES `leads`(`token`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `lead_history_lead` ON `lead_history` (`lead`,`id`);--> statement-breakpoint
CREATE TABLE `leads` (
	`token` text PRIMARY KEY NOT NULL,
	`subsite` text NOT NULL,
	`action` text,
	`source` text NOT NULL,
	`door` text NOT NULL,
	`status` text NOT NULL,
	`fields` text,
	`data` text,
	`contact_name` text,
	`contact_email` text,
	`contact_phone` text,
	`suspicions` text DEFAULT '[]' NOT NULL,
	`repeat_of` text,
	`import_key` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`respond_by` text NOT NULL,
	`retention_days` integer NOT NULL,
	`erase_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `leads_import_key` ON `leads` (`import_key`);--> statement-breakpoint
CREATE INDEX `leads_created` ON `leads` (`created_at`);--> statement-breakpoint
CREATE INDEX `leads_inbox` ON `leads` (`status`,`created_at`);--> statement-breakpoint
CREATE INDEX `leads_subsite` ON `leads` (`subsite`,`created_at`);--> statement-breakpoint
CREATE INDEX `leads_erase` ON `leads` (`erase_at`);--> statement-breakpoint
CREATE INDEX `leads_email` ON `leads` (`contact_email`,`created_at`);--> statement-breakpoint
CREATE INDEX `leads_phone` ON `leads` (`contact_phone`,`created_at`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`lead` text NOT NULL,
	`payload` text NOT NULL,
	`created_at` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` text,
	`sent_at` text,
	`fault` text,
	FOREIGN KEY (`lead`) REFERENCES `leads`(`token`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`due_at`);--> statement-breakpoint
CREATE INDEX `outbox_lead` ON `outbox` (`lead`);--> statement-breakpoint
CREATE TABLE `share_links` (
	`token` text PRIMARY KEY NOT NULL,
	`digest` text NOT NULL,
	`subsite` text NOT NULL,
	`path` text NOT NULL,
	`title` text,
	`meta` text,
	`created_at` text NOT NULL,
	`expires_at` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `share_links_digest` ON `share_links` (`digest`);--> statement-breakpoint
CREATE TABLE `storefronts` (
	`slug` text PRIMARY KEY NOT NULL,
	`lead` text NOT NULL,
	`subsite` text NOT NULL,
	`theme` text NOT NULL,
	`name` text,
	`idea` text,
	`place` text,
	`offerings` text,
	`created_at` text NOT NULL,
	FOREIGN KEY (`lead`) REFERENCES `leads`(`token`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `storefronts_lead` ON `storefronts` (`lead`);