import { type Database, db, type Transaction } from '@/db/client'
import { notFound } from '@/lib/base/runtime/errors'
import { servedDomains } from '@/lib/site/domains/service'
import { type CampaignScope, selectAsking, selectDocument } from './queries'

/**
 * Returns a document with the served domains that require it at sign-in: none if it is disabled or isn't an agreement
 * (docs/rules/agreements.md#whom-a-campaign-concerns). Throws 404.
 */
export async function campaignOf(id: string, run: Database | Transaction = db(), shared = false) {
  const [document, domains] = [await selectDocument(run, id, shared), await servedDomains()]
  if (!document) throw notFound()
  const requiringIds = document.enabled && document.type === 'agreement' ? await selectAsking(run, id) : []
  const requiringDomains = domains.filter((domain) => requiringIds.includes(domain.id))
  const campaign: CampaignScope = {
    id,
    version: document.version,
    asking: requiringDomains.map((domain) => domain.id),
    served: domains.map((domain) => domain.id),
    base: domains[0]?.id ?? '',
  }
  return { document, domains: requiringDomains, asked: campaign }
}
