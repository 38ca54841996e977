import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { listAccessRequests } from './contract'

/** Returns whether a list of requests has its usual order, in which undecided requests of others come first. */
export const isUsualOrder = ({
  sortBy,
  sort,
}: Pick<ServiceInput<typeof listAccessRequests>['query'], 'sortBy' | 'sort'>) =>
  sortBy === 'requestDate' && sort === 'desc'
