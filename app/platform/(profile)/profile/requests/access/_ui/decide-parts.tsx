'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type Chosen, useSelection } from '@/components/bulk/selection'
import { Button } from '@/components/ui/button'
import { useKeptFocus } from '@/components/ui/use-kept-focus'
import { useLater } from '@/components/ui/use-later'
import type { IncomingRequest } from '@/lib/companies/access-requests/contract'
import { selection } from './selection'
import { whoOf } from './who-of'

const load = () => import('./decide-dialog').then((part) => part.DecideDialog)

/** Opens the decision on one request. */
export function Decide({ request }: { request: IncomingRequest }) {
  const t = useTranslations('access-requests')
  return (
    <Opener
      label={t('decide')}
      name={t('decideNamed', { name: whoOf(request, t), company: request.requestCompanyName })}
      requests={[request]}
    />
  )
}

/** Opens one decision on all chosen requests. */
export function DecideChosen() {
  const t = useTranslations('access-requests')
  const { chosen, clear } = useSelection<IncomingRequest>(selection)
  const requests = [...chosen.values()].map(({ row }: Chosen<IncomingRequest>) => row)
  return <Opener label={t('decide')} requests={requests} onDecided={clear} primary />
}

type Props = {
  label: string
  name?: string
  requests: IncomingRequest[]
  onDecided?: () => void
  primary?: boolean
}

function Opener({ label, name, requests, onDecided, primary = false }: Props) {
  const [open, setOpen] = useState<IncomingRequest[] | null>(null)
  const { Part, wake } = useLater(load)
  const button = useKeptFocus<HTMLButtonElement>()
  return (
    <>
      <Button
        {...wake}
        ref={button}
        variant={primary ? 'primary' : 'secondary'}
        size="S"
        {...(name ? { 'aria-label': name } : {})}
        onClick={(event) => {
          setOpen(requests)
          wake.onClick(event)
        }}
      >
        {label}
      </Button>
      {Part && open ? (
        <Part
          requests={open}
          onClose={(decided) => {
            setOpen(null)
            if (decided) onDecided?.()
          }}
        />
      ) : null}
    </>
  )
}
