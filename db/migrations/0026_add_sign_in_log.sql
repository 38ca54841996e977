CREATE TABLE "sign_in_log" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"user_id" uuid,
	"id_attribute" text,
	"digest" text,
	"mask" text,
	"flows" text[] NOT NULL,
	"cause" text,
	"application_id" uuid,
	"ip" text NOT NULL,
	"browser" text NOT NULL,
	"system" text NOT NULL,
	"device_type" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "sign_in_log_at" ON "sign_in_log" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "sign_in_log_user" ON "sign_in_log" USING btree ("user_id","at","id");--> statement-breakpoint
CREATE INDEX "sign_in_log_digest" ON "sign_in_log" USING btree ("digest","at","id");--> statement-breakpoint
CREATE INDEX "sign_in_log_ip" ON "sign_in_log" USING btree ("ip","at","id");