import type { Transaction } from '@/db/client'
import type { IdAttributeName } from '@/lib/base/context/ctx'
import { selectLimits } from './queries'

const kinds = ['login', 'email', 'mobile'] as const satisfies readonly IdAttributeName[]
/** The device types that a browser has by itself; any other has to be set up first. */
const common = ['desktop', 'mobile', 'tablet']

/**
 * Returns the kinds of identifier that some serving domain offers to some browser, as this transaction sees it
 * (docs/rules/domains.md#own-domain).
 */
export async function offeredKinds(tx: Transaction): Promise<IdAttributeName[]> {
  const { limits, typeIds } = await selectLimits(tx, common)
  return kinds.filter((kind) => limits.some((byType) => typeIds.some((id) => (byType[id] ?? kinds).includes(kind))))
}
