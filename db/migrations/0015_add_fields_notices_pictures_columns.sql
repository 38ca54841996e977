CREATE TYPE "public"."contact_agreement" AS ENUM('received', 'refused', 'notReceived');--> statement-breakpoint
CREATE TYPE "public"."contact_kind" AS ENUM('email', 'mobile');--> statement-breakpoint
CREATE TABLE "user_contacts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" "contact_kind" NOT NULL,
	"value" text NOT NULL,
	"verified_at" timestamp with time zone,
	"messengers" text[] DEFAULT '{}' NOT NULL,
	"agreement" "contact_agreement" DEFAULT 'notReceived' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_contacts_user_kind_value" UNIQUE("user_id","kind","value")
);
--> statement-breakpoint
CREATE TABLE "dynamic_field_uniques" (
	"field_id" uuid NOT NULL,
	"digest" text NOT NULL,
	"user_id" uuid,
	"contractor_id" uuid,
	CONSTRAINT "dynamic_field_uniques_field_digest" PRIMARY KEY("field_id","digest"),
	CONSTRAINT "dynamic_field_uniques_owner" CHECK (num_nonnulls("dynamic_field_uniques"."user_id", "dynamic_field_uniques"."contractor_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"values" jsonb NOT NULL,
	"cause" text NOT NULL,
	"date" timestamp with time zone NOT NULL,
	"read_at" timestamp with time zone,
	CONSTRAINT "notices_cause" UNIQUE("user_id","cause")
);
--> statement-breakpoint
CREATE TABLE "user_agreement_refusals" (
	"user_id" uuid NOT NULL,
	"document_id" uuid NOT NULL,
	"refused_at" timestamp with time zone NOT NULL,
	CONSTRAINT "user_agreement_refusals_user_id_document_id_pk" PRIMARY KEY("user_id","document_id")
);
--> statement-breakpoint
CREATE TABLE "user_pictures" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"small" "bytea" NOT NULL,
	"large" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_pictures_user" UNIQUE("user_id")
);
--> statement-breakpoint
ALTER TABLE "dynamic_fields" ADD COLUMN "pattern" text;--> statement-breakpoint
ALTER TABLE "dynamic_fields" ADD COLUMN "min_length" integer;--> statement-breakpoint
ALTER TABLE "dynamic_fields" ADD COLUMN "max_length" integer;--> statement-breakpoint
ALTER TABLE "dynamic_fields" ADD COLUMN "latin" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "user_settings" ADD COLUMN "columns" jsonb;--> statement-breakpoint
ALTER TABLE "user_contacts" ADD CONSTRAINT "user_contacts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dynamic_field_uniques" ADD CONSTRAINT "dynamic_field_uniques_field_id_dynamic_fields_id_fk" FOREIGN KEY ("field_id") REFERENCES "public"."dynamic_fields"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dynamic_field_uniques" ADD CONSTRAINT "dynamic_field_uniques_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dynamic_field_uniques" ADD CONSTRAINT "dynamic_field_uniques_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_agreement_refusals" ADD CONSTRAINT "user_agreement_refusals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_agreement_refusals" ADD CONSTRAINT "user_agreement_refusals_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_pictures" ADD CONSTRAINT "user_pictures_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "dynamic_field_uniques_user" ON "dynamic_field_uniques" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "dynamic_field_uniques_contractor" ON "dynamic_field_uniques" USING btree ("contractor_id");--> statement-breakpoint
CREATE INDEX "notices_user" ON "notices" USING btree ("user_id","date","id");--> statement-breakpoint
CREATE INDEX "notices_unread" ON "notices" USING btree ("user_id","date") WHERE "notices"."read_at" is null;--> statement-breakpoint
CREATE INDEX "notices_date" ON "notices" USING btree ("date");--> statement-breakpoint
CREATE INDEX "user_agreement_refusals_document" ON "user_agreement_refusals" USING btree ("document_id");--> statement-breakpoint
CREATE INDEX "invitations_open" ON "invitations" USING btree ("expires_at") WHERE "invitations"."status" = 'active';--> statement-breakpoint
CREATE INDEX "history_object_changer" ON "history" USING btree ("entity","entity_id","changer_id","id");--> statement-breakpoint
CREATE INDEX "contractors_compared_name" ON "contractors" USING btree (regexp_replace(regexp_replace(lower("name"), '^(ооо|оао|зао|пао|ао|ип|нко|llc|ltd|jsc)[^[:alnum:]]+', ''), '[^[:alnum:]]+', '', 'g'));--> statement-breakpoint
CREATE INDEX "contractors_compared_name_backwards" ON "contractors" USING btree (reverse(regexp_replace(regexp_replace(lower("name"), '^(ооо|оао|зао|пао|ао|ип|нко|llc|ltd|jsc)[^[:alnum:]]+', ''), '[^[:alnum:]]+', '', 'g')));