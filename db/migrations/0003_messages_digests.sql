CREATE TYPE "public"."digest_period" AS ENUM('daily', 'weekly');--> statement-breakpoint
CREATE TABLE "digest_items" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "digest_items_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" uuid NOT NULL,
	"period" "digest_period" NOT NULL,
	"host" text NOT NULL,
	"title" text NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"link" text DEFAULT '' NOT NULL,
	"date" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "digests" (
	"user_id" uuid NOT NULL,
	"period" "digest_period" NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	CONSTRAINT "digests_user_id_period_due_at_pk" PRIMARY KEY("user_id","period","due_at")
);
--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "counter" jsonb;--> statement-breakpoint
ALTER TABLE "digest_items" ADD CONSTRAINT "digest_items_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "digests" ADD CONSTRAINT "digests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "digest_items_user" ON "digest_items" USING btree ("user_id","period","date");