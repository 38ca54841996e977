import type { RequestStatus } from '@/lib/companies/access-requests/contract'

/** The look of a request's status. */
export const tones = {
  considered: 'warning',
  approved: 'ok',
  failure: 'danger',
  duplicate: 'neutral',
  remove: 'neutral',
} as const satisfies Record<RequestStatus, string>
