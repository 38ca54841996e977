import { eq, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { links } from '@/db/schema/entry'

/** Notes on a link the mobile that a code was asked for; what is proven stays so. */
export const noteAskedMobile = (linkId: string, mobile: string) =>
  db()
    .update(links)
    .set({ data: sql`coalesce(${links.data}, '{}') || jsonb_build_object('asked', ${mobile}::text)` })
    .where(eq(links.id, linkId))
