CREATE TABLE `contracts` (
	`digest` text PRIMARY KEY NOT NULL,
	`contract` text NOT NULL,
	`served_at` text NOT NULL
);
