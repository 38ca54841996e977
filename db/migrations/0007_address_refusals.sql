CREATE TABLE "address_refusals" (
	"hour" timestamp with time zone PRIMARY KEY NOT NULL,
	"noted" integer DEFAULT 0 NOT NULL,
	"others" bigint DEFAULT 0 NOT NULL,
	"told" boolean DEFAULT false NOT NULL
);
