'use client'

import { Check, Copy } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { IconButton } from './icon-button'
import { snackbar } from './snackbar'

/** Copies a value and confirms it in place; `what` names the value for screen readers. */
export function CopyButton({ value, what }: { value: string; what?: string }) {
  const t = useTranslations('ui')
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      setCopied(true)
    } catch {
      await snackbar.error(t('copyFailed'))
    }
  }
  const Icon = copied ? Check : Copy
  return (
    <>
      <IconButton label={what ? `${t('copy')}: ${what}` : t('copy')} onClick={copy}>
        <Icon aria-hidden="true" className={copied ? 'size-4 text-ok' : 'size-4'} />
      </IconButton>
      <span role="status" className="sr-only">
        {copied ? t('copied') : ''}
      </span>
    </>
  )
}
