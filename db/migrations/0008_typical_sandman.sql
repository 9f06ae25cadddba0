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
ALTER TABLE `storefronts` ADD `bare_slug` text;--> statement-breakpoint
CREATE UNIQUE INDEX `storefronts_bare_slug` ON `storefronts` (`bare_slug`) WHERE bare_slug is not null;