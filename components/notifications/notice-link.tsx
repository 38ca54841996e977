'use client'

import Link from 'next/link'
import type { ComponentProps } from 'react'
import { markRead } from './feed'

type Props = Omit<ComponentProps<typeof Link>, 'onClick'> & { unread: boolean; id: string }

/**
 * A link to the subject of a notification. Following it marks the notification as read; if that fails, it stays unread.
 */
export function NoticeLink({ unread, id, ...rest }: Props) {
  return (
    <Link {...rest} prefetch={false} onClick={unread ? () => void markRead(id).catch(() => undefined) : undefined} />
  )
}
