import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { listAccessRequests } from './contract'

/** Whether nobody has asked for another order of requests: of those of others the ones that wait come first then. */
export const isUsualOrder = ({
  sortBy,
  sort,
}: Pick<ServiceInput<typeof listAccessRequests>['query'], 'sortBy' | 'sort'>) =>
  sortBy === 'requestDate' && sort === 'desc'
