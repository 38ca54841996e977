-- trigrams find text anywhere in a value; the extension is trusted: a database's owner may add it
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
ALTER TABLE "device_types" ADD COLUMN "updated_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
CREATE INDEX "access_list_entries_alias" ON "access_list_entries" USING btree ("alias_id");--> statement-breakpoint
CREATE INDEX "network_alias_ips_ip" ON "network_alias_ips" USING gist ("ip" inet_ops);--> statement-breakpoint
CREATE INDEX "network_alias_ips_text" ON "network_alias_ips" USING gin (text("ip") gin_trgm_ops,"comment" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "network_aliases_updated" ON "network_aliases" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX "network_aliases_text" ON "network_aliases" USING gin ("name" gin_trgm_ops,"comment" gin_trgm_ops);
