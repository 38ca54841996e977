CREATE TYPE "public"."news_audience" AS ENUM('all', 'role', 'contractor', 'organization', 'domain');--> statement-breakpoint
CREATE TYPE "public"."news_status" AS ENUM('draft', 'published', 'withdrawn');--> statement-breakpoint
CREATE TABLE "news" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"status" "news_status" DEFAULT 'draft' NOT NULL,
	"audience" "news_audience" DEFAULT 'all' NOT NULL,
	"audience_id" uuid,
	"published_at" timestamp with time zone,
	"told_up_to" uuid,
	"told_at" timestamp with time zone,
	"reached" integer DEFAULT 0 NOT NULL,
	"mailed" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "news_locales" (
	"news_id" uuid NOT NULL,
	"locale_id" uuid NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "news_locales_news_id_locale_id_pk" PRIMARY KEY("news_id","locale_id")
);
--> statement-breakpoint
ALTER TABLE "news_locales" ADD CONSTRAINT "news_locales_news_id_news_id_fk" FOREIGN KEY ("news_id") REFERENCES "public"."news"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "news_locales" ADD CONSTRAINT "news_locales_locale_id_locales_id_fk" FOREIGN KEY ("locale_id") REFERENCES "public"."locales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "news_locales_locale" ON "news_locales" USING btree ("locale_id");--> statement-breakpoint
CREATE INDEX "notices_of_news" ON "notices" USING btree ("cause") WHERE "notices"."kind" = 'news';--> statement-breakpoint
CREATE INDEX "digest_items_of_cause" ON "digest_items" USING btree ("cause");