CREATE TABLE `a2a_tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`task` text NOT NULL,
	`lead` text,
	`updated_at` text NOT NULL,
	`ended_at` text,
	`erase_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `a2a_tasks_lead` ON `a2a_tasks` (`lead`);--> statement-breakpoint
CREATE INDEX `a2a_tasks_erase` ON `a2a_tasks` (`erase_at`);