'use client'

import { useLinkStatus } from 'next/link'

/** Marks the link that it is in, from the click until its page comes: nothing else says before that it was clicked. */
export function LinkPending() {
  return useLinkStatus().pending ? <span data-pending="" hidden /> : null
}
