'use client'

import { Download } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { DownloadLink } from '@/components/export/download-link'
import { buttonClasses } from '@/components/ui/button-classes'
import { callAddress } from '@/lib/base/http/client'
import type { Exchange } from '@/lib/exchanges/exchange-journal/contract'

const path = '/setting/integration-monitoring'
type Props = { exchange: Pick<Exchange, 'request' | 'response'>; name: string }

/** The sent and the answered content, as downloads. `name` tells screen readers which request it is. */
export function ExchangeMessages({ exchange: { request, response }, name }: Props) {
  const t = useTranslations('integration-journal')
  const link = (of: 'requests' | 'responses', id: string) => (
    <DownloadLink
      href={callAddress(`${path}/${of}/{id}`, { params: { id } })}
      aria-label={t(of === 'requests' ? 'requestOf' : 'responseOf', { name })}
      className={buttonClasses({ variant: 'quiet', size: 'S' })}
    >
      <Download aria-hidden="true" className="size-4" />
      {t(of === 'requests' ? 'request' : 'response')}
    </DownloadLink>
  )
  return (
    <span className="-my-1 -ml-3 flex flex-wrap gap-x-1">
      {link('requests', request)}
      {response ? link('responses', response) : null}
    </span>
  )
}
