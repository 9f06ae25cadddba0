CREATE TABLE `offers` (
	`entry` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`lead` text NOT NULL,
	`amount` text NOT NULL,
	`currency` text NOT NULL,
	`description` text,
	`expires_at` text NOT NULL,
	`confirm_on_accept` integer NOT NULL,
	FOREIGN KEY (`entry`) REFERENCES `lead_history`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`lead`) REFERENCES `leads`(`token`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `offers_lead` ON `offers` (`lead`);