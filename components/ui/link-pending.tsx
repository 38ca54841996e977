'use client'

import { useLinkStatus } from 'next/link'

/**
 * Marks the link that contains it, from the click until the next page appears: nothing else shows before that the link
 * was clicked.
 */
export function LinkPending() {
  return useLinkStatus().pending ? <span data-pending="" hidden /> : null
}
