CREATE TABLE "locale_texts" (
	"locale_id" uuid NOT NULL,
	"key" text NOT NULL,
	"text" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "locale_texts_locale_id_key_pk" PRIMARY KEY("locale_id","key")
);
--> statement-breakpoint
ALTER TABLE "locale_texts" ADD CONSTRAINT "locale_texts_locale_id_locales_id_fk" FOREIGN KEY ("locale_id") REFERENCES "public"."locales"("id") ON DELETE cascade ON UPDATE no action;