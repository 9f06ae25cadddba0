ALTER TABLE `a2a_tasks` ADD `context_id` text;--> statement-breakpoint
CREATE INDEX `a2a_tasks_context` ON `a2a_tasks` (`context_id`);