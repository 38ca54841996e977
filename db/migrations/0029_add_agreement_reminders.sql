CREATE TABLE "agreement_reminders" (
	"document_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"reminded_at" timestamp with time zone NOT NULL,
	CONSTRAINT "agreement_reminders_document_id_version_user_id_pk" PRIMARY KEY("document_id","version","user_id")
);
--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "version_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "agreement_reminders" ADD CONSTRAINT "agreement_reminders_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agreement_reminders" ADD CONSTRAINT "agreement_reminders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agreement_reminders_user" ON "agreement_reminders" USING btree ("user_id");