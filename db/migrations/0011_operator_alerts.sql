CREATE TABLE `alerts` (
	`name` text PRIMARY KEY NOT NULL,
	`event` text NOT NULL,
	`began_at` text NOT NULL,
	`notified_at` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `leads_unanswered` ON `leads` (`updated_at`) WHERE status = 'expired' and answered_ms is null and suspicions = '[]';