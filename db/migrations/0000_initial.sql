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
	`kind` text,
	`called_at` text,
	FOREIGN KEY (`lead`) REFERENCES `leads`(`token`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `lead_history_lead` ON `lead_history` (`lead`,`id`);--> statement-breakpoint
CREATE INDEX `lead_history_note` ON `lead_history` (`lead`) WHERE note is not null;--> statement-breakpoint
CREATE TABLE `leads` (
	`token` text PRIMARY KEY NOT NULL,
	`subsite` text NOT NULL,
	`action` text,
	`source` text NOT NULL,
	`channel` text NOT NULL,
	`status` text NOT NULL,
	`fields` text,
	`terms` text,
	`data` text,
	`contact_name` text,
	`contact_email` text,
	`contact_phone` text,
	`suspicions` text DEFAULT '[]' NOT NULL,
	`emergency` integer DEFAULT false NOT NULL,
	`notify` integer DEFAULT true NOT NULL,
	`repeat_of` text,
	`import_key` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`respond_by` text NOT NULL,
	`due_at` text,
	`call_due_at` text,
	`answer_owed` integer DEFAULT true NOT NULL,
	`answered_ms` integer,
	`retention_days` integer NOT NULL,
	`erase_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `leads_import_key` ON `leads` (`import_key`) WHERE import_key is not null;--> statement-breakpoint
CREATE INDEX `leads_created` ON `leads` (`created_at`,`token`);--> statement-breakpoint
CREATE INDEX `leads_inbox` ON `leads` (`status`,`created_at`,`token`);--> statement-breakpoint
CREATE INDEX `leads_subsite` ON `leads` (`subsite`,`created_at`,`token`,`status`);--> statement-breakpoint
CREATE INDEX `leads_answered` ON `leads` (`subsite`,`answered_ms`,`created_at`) WHERE answered_ms is not null and answer_owed = 1 and suspicions = '[]';--> statement-breakpoint
CREATE INDEX `leads_owed` ON `leads` (`subsite`,`created_at`,`respond_by`,`status`) WHERE answered_ms is null and answer_owed = 1 and suspicions = '[]';--> statement-breakpoint
CREATE INDEX `leads_action` ON `leads` (`action`,`created_at`,`token`,`status`) WHERE action is not null;--> statement-breakpoint
CREATE INDEX `leads_due` ON `leads` (`due_at`,`status`,`suspicions`) WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX `leads_due_subsite` ON `leads` (`subsite`,`due_at`,`suspicions`) WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX `leads_emergency` ON `leads` (`due_at`,`token`,`subsite`) WHERE emergency = 1 and suspicions = '[]' and status in ('new', 'acknowledged', 'needs_info', 'quoted', 'accepted');--> statement-breakpoint
CREATE INDEX `leads_call` ON `leads` (`call_due_at`,`token`,`subsite`,`status`) WHERE call_due_at is not null and suspicions = '[]';--> statement-breakpoint
CREATE INDEX `leads_withdrawn` ON `leads` (`updated_at`,`subsite`) WHERE status = 'withdrawn' and suspicions = '[]';--> statement-breakpoint
CREATE INDEX `leads_unanswered` ON `leads` (`updated_at`) WHERE status = 'expired' and answered_ms is null and suspicions = '[]';--> statement-breakpoint
CREATE INDEX `leads_repeat` ON `leads` (`repeat_of`) WHERE repeat_of is not null;--> statement-breakpoint
CREATE INDEX `leads_erase` ON `leads` (`erase_at`) WHERE status <> 'erased';--> statement-breakpoint
CREATE INDEX `leads_email` ON `leads` (date("created_at"),`contact_email`) WHERE contact_email is not null;--> statement-breakpoint
CREATE INDEX `leads_phone` ON `leads` (date("created_at"),`contact_phone`) WHERE contact_phone is not null;--> statement-breakpoint
CREATE TABLE `offers` (
	`entry` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`lead` text NOT NULL,
	`amount` text NOT NULL,
	`currency` text NOT NULL,
	`payer` text NOT NULL,
	`per` text,
	`description` text,
	`expires_at` text NOT NULL,
	`confirm_on_accept` integer NOT NULL,
	`item` text,
	`item_title` text,
	`from_day` text,
	`to_day` text,
	`held_item` text,
	`held_from` text,
	`held_to` text,
	FOREIGN KEY (`entry`) REFERENCES `lead_history`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`lead`) REFERENCES `leads`(`token`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `offers_lead` ON `offers` (`lead`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`lead` text NOT NULL,
	`payload` text NOT NULL,
	`created_at` text NOT NULL,
	`due_at` text,
	FOREIGN KEY (`lead`) REFERENCES `leads`(`token`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`due_at`) WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX `outbox_waiting` ON `outbox` (`lead`) WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX `outbox_lead` ON `outbox` (`lead`,`kind`);--> statement-breakpoint
CREATE TABLE `share_links` (
	`token` text PRIMARY KEY NOT NULL,
	`digest` text NOT NULL,
	`subsite` text NOT NULL,
	`path` text NOT NULL,
	`title` text,
	`meta` text,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `share_links_digest` ON `share_links` (`digest`);--> statement-breakpoint
CREATE TABLE `holds` (
	`lead` text NOT NULL,
	`offer` text DEFAULT '' NOT NULL,
	`catalog` text NOT NULL,
	`item` text NOT NULL,
	`unit` integer NOT NULL,
	`from_day` text NOT NULL,
	`to_day` text NOT NULL,
	`expires_at` text,
	`released_at` text,
	PRIMARY KEY(`lead`, `offer`),
	FOREIGN KEY (`lead`) REFERENCES `leads`(`token`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `holds_item` ON `holds` (`catalog`,`item`,`to_day`);--> statement-breakpoint
CREATE INDEX `holds_expires` ON `holds` (`expires_at`,`lead`) WHERE expires_at is not null and released_at is null and offer = '';--> statement-breakpoint
CREATE TABLE `storefronts` (
	`slug` text PRIMARY KEY NOT NULL,
	`bare_slug` text,
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
CREATE UNIQUE INDEX `storefronts_lead` ON `storefronts` (`lead`);--> statement-breakpoint
CREATE UNIQUE INDEX `storefronts_bare_slug` ON `storefronts` (`bare_slug`) WHERE bare_slug is not null;--> statement-breakpoint
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
	`callback_secret` text,
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
CREATE INDEX `tasks_result` ON `tasks` (`result_until`);--> statement-breakpoint
CREATE INDEX `tasks_lead` ON `tasks` (result ->> '$.receiptToken') WHERE result is not null;--> statement-breakpoint
CREATE TABLE `alerts` (
	`name` text PRIMARY KEY NOT NULL,
	`event` text NOT NULL,
	`began_at` text NOT NULL,
	`notified_at` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `callbacks` (
	`lead` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`key` text NOT NULL,
	FOREIGN KEY (`lead`) REFERENCES `leads`(`token`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`key`) REFERENCES `keys`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `deliveries` (
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
	PRIMARY KEY(`lead`, `event`, `channel`, `target`),
	FOREIGN KEY (`event`) REFERENCES `outbox`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`lead`) REFERENCES `leads`(`token`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`channel`,`due_at`) WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX `deliveries_age` ON `deliveries` (`created_at`,`channel`) WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX `deliveries_late` ON `deliveries` (`lead`) WHERE sent_at is null and channel not in ('callback', 'push') and coalesce(outcome, '') not in ('erased', 'settled', 'outdated');--> statement-breakpoint
CREATE INDEX `deliveries_ended` ON `deliveries` (`outcome`,`event`,`channel`) WHERE due_at is null and sent_at is null;--> statement-breakpoint
CREATE TABLE `delivery_attempts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event` text NOT NULL,
	`channel` text NOT NULL,
	`target` text DEFAULT '' NOT NULL,
	`at` text NOT NULL,
	`ms` integer NOT NULL,
	`outcome` text NOT NULL,
	`response` text
);
--> statement-breakpoint
CREATE INDEX `delivery_attempts_event` ON `delivery_attempts` (`event`,`id`);--> statement-breakpoint
CREATE INDEX `delivery_attempts_at` ON `delivery_attempts` (`at`);--> statement-breakpoint
CREATE TABLE `inbox_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`expires_at` text NOT NULL,
	FOREIGN KEY (`key`) REFERENCES `keys`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `inbox_sessions_expires` ON `inbox_sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `secrets` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE `a2a_tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`task` text NOT NULL,
	`context_id` text,
	`lead` text,
	`updated_at` text NOT NULL,
	`ended_at` text,
	`erase_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `a2a_tasks_lead` ON `a2a_tasks` (`lead`);--> statement-breakpoint
CREATE INDEX `a2a_tasks_context` ON `a2a_tasks` (`context_id`);--> statement-breakpoint
CREATE INDEX `a2a_tasks_erase` ON `a2a_tasks` (`erase_at`);--> statement-breakpoint
CREATE TABLE `budget_uses` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`budget` text NOT NULL,
	`subject` text NOT NULL,
	`row` text NOT NULL,
	`until` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `budget_uses_subject` ON `budget_uses` (`budget`,`subject`,`until`);--> statement-breakpoint
CREATE INDEX `budget_uses_row` ON `budget_uses` (`row`);--> statement-breakpoint
CREATE INDEX `budget_uses_until` ON `budget_uses` (`until`);--> statement-breakpoint
CREATE TABLE `contracts` (
	`digest` text PRIMARY KEY NOT NULL,
	`contract` text NOT NULL,
	`served_at` text NOT NULL
);
