'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { BulkResults } from '@/components/bulk/bulk-results'
import type { BulkResult } from '@/components/bulk/run'
import { Dialog, DialogBody, DialogCancel, DialogFooter } from '@/components/ui/dialog'
import type { IncomingRequest } from '@/lib/companies/access-requests/contract'
import type { Decision } from './decide-form'
import { DecideForm } from './decide-form'
import { whoOf } from './who-of'

type Props = { requests: IncomingRequest[]; onClose: (decided: boolean) => void }

/** The decision on requests: the form, and for several requests the result of each. */
export function DecideDialog({ requests, onClose }: Props) {
  const t = useTranslations('access-requests')
  const ui = useTranslations('ui')
  const [done, setDone] = useState<{ decision: Decision; results: BulkResult[] } | null>(null)
  const [onlyRequest] = requests
  const single = requests.length === 1 && onlyRequest
  const title = single
    ? t('decideTitle', { name: whoOf(onlyRequest, t) })
    : t('decideManyTitle', { count: requests.length })
  const text = single ? t('decideText', { company: onlyRequest.requestCompanyName }) : t('decideManyText')
  const labelOf = (id: string) => {
    const request = requests.find(({ requestId }) => requestId === id)
    return request ? `${whoOf(request, t)}, ${request.requestCompanyName}` : id
  }
  return (
    <Dialog open onOpenChange={() => onClose(done !== null)} size="L" title={title} text={done ? undefined : text}>
      {done ? (
        <>
          <DialogBody label={title}>
            <BulkResults results={done.results} labelOf={labelOf} done={t(`done.${done.decision}`)} />
          </DialogBody>
          <DialogFooter>
            <DialogCancel>{ui('close')}</DialogCancel>
          </DialogFooter>
        </>
      ) : (
        <DecideForm
          requests={requests}
          onDone={(decision, results) => {
            if (single) onClose(true)
            else setDone({ decision, results })
          }}
        />
      )}
    </Dialog>
  )
}
