ALTER TABLE "runs" ADD COLUMN "client_id" text;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_client_id_oidc_clients_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."oidc_clients"("client_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "runs_client" ON "runs" USING btree ("client_id","kind","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "runs_client_running" ON "runs" USING btree ("client_id","kind") WHERE "runs"."state" = 'running';