CREATE TABLE `inbox_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`expires_at` text NOT NULL,
	FOREIGN KEY (`key`) REFERENCES `keys`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `inbox_sessions_expires` ON `inbox_sessions` (`expires_at`);