DROP INDEX `leads_created`;--> statement-breakpoint
DROP INDEX `leads_inbox`;--> statement-breakpoint
DROP INDEX `leads_subsite`;--> statement-breakpoint
ALTER TABLE `leads` ADD `answered_ms` integer;--> statement-breakpoint
CREATE INDEX `leads_action` ON `leads` (`action`,`created_at`,`token`,`status`) WHERE action is not null;--> statement-breakpoint
CREATE INDEX `leads_respond` ON `leads` (`respond_by`) WHERE status = 'new';--> statement-breakpoint
CREATE INDEX `leads_repeat` ON `leads` (`repeat_of`) WHERE repeat_of is not null;--> statement-breakpoint
CREATE INDEX `leads_created` ON `leads` (`created_at`,`token`);--> statement-breakpoint
CREATE INDEX `leads_inbox` ON `leads` (`status`,`created_at`,`token`);--> statement-breakpoint
CREATE INDEX `leads_subsite` ON `leads` (`subsite`,`created_at`,`token`,`status`,`suspicions`);--> statement-breakpoint
CREATE INDEX `leads_answered` ON `leads` (`subsite`,`answered_ms`,`created_at`) WHERE answered_ms is not null and suspicions = '[]';--> statement-breakpoint
DROP INDEX `outbox_due`;--> statement-breakpoint
DROP INDEX `outbox_lead`;--> statement-breakpoint
CREATE INDEX `outbox_waiting` ON `outbox` (`lead`) WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`due_at`) WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX `outbox_lead` ON `outbox` (`lead`,`kind`);--> statement-breakpoint
DROP INDEX `deliveries_due`;--> statement-breakpoint
CREATE TABLE `__new_deliveries` (
	`event` text NOT NULL,
	`channel` text NOT NULL,
	`lead` text NOT NULL,
	`created_at` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` text,
	`sent_at` text,
	`outcome` text,
	`lease_owner` text,
	`lease_until` text,
	PRIMARY KEY(`event`, `channel`),
	FOREIGN KEY (`event`) REFERENCES `outbox`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`lead`) REFERENCES `leads`(`token`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_deliveries` SELECT d.`event`, d.`channel`, o.`lead`, d.`created_at`, d.`attempts`, d.`due_at`, d.`sent_at`, d.`outcome`, d.`lease_owner`, d.`lease_until` FROM `deliveries` d JOIN `outbox` o ON o.`id` = d.`event`;--> statement-breakpoint
DROP TABLE `deliveries`;--> statement-breakpoint
ALTER TABLE `__new_deliveries` RENAME TO `deliveries`;--> statement-breakpoint
UPDATE `leads` SET `answered_ms` = (SELECT CAST(max(0, (julianday(min(h.`at`)) - julianday(`leads`.`created_at`)) * 86400000) AS integer) FROM `lead_history` h WHERE h.`lead` = `leads`.`token` AND h.`actor` IN ('provider', 'operator') AND h.`status` IN ('acknowledged', 'needs_info', 'quoted', 'confirmed', 'declined'));--> statement-breakpoint
CREATE INDEX `deliveries_age` ON `deliveries` (`created_at`,`channel`) WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX `deliveries_late` ON `deliveries` (`lead`) WHERE sent_at is null and coalesce(outcome, '') not in ('erased', 'settled');--> statement-breakpoint
CREATE INDEX `deliveries_ended` ON `deliveries` (`outcome`,`event`,`channel`) WHERE due_at is null and sent_at is null;--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`channel`,`due_at`) WHERE due_at is not null;