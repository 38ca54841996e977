'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '../ui/button'
import { useNotice } from '../ui/use-notice'
import { markRead } from './feed'

/** Marks all notifications as read. */
export function ReadAll({ read = markRead }: { read?: () => Promise<void> }) {
  const t = useTranslations('notices')
  const notice = useNotice()
  const [pending, setPending] = useState(false)
  const mark = () => {
    setPending(true)
    read()
      .catch(() => notice({ type: 'error', text: 'noticesReadError' }))
      .finally(() => setPending(false))
  }
  return (
    <Button variant="secondary" size="S" pending={pending} onClick={mark}>
      {t('readAll')}
    </Button>
  )
}
