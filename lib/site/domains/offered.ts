import type { Transaction } from '@/db/client'
import type { IdAttributeName } from '@/lib/base/context/ctx'
import { selectLimits } from './queries'

const kinds = ['login', 'email', 'mobile'] as const satisfies readonly IdAttributeName[]
/** The device types that every browser may have without a set-up. */
const common = ['desktop', 'mobile', 'tablet']

/**
 * Returns the kinds of identifier that at least one served domain offers to at least one type of browser, as this
 * transaction sees it (docs/rules/domains.md#own-domain).
 */
export async function offeredKinds(tx: Transaction): Promise<IdAttributeName[]> {
  const { limits, typeIds } = await selectLimits(tx, common)
  return kinds.filter((kind) => limits.some((byType) => typeIds.some((id) => (byType[id] ?? kinds).includes(kind))))
}
