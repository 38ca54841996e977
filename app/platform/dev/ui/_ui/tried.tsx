'use client'

import { Pencil, RefreshCw } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Dialog, DialogBody, DialogCancel, DialogFooter } from '@/components/ui/dialog'
import { IconButton } from '@/components/ui/icon-button'
import { LinkTabs } from '@/components/ui/link-tabs'
import { PartFailed } from '@/components/ui/part-failed'
import { showNotice } from '@/components/ui/snackbar'
import { Tabs } from '@/components/ui/tabs'

const sizes = ['L', 'M', 'S'] as const
const variants = ['primary', 'secondary', 'quiet', 'danger'] as const

export function Buttons() {
  const t = useTranslations('gallery.buttons')
  const [pending, setPending] = useState(true)
  return (
    <div className="grid gap-3">
      <p className="text-ink-second text-note">{t('sizes')}</p>
      {sizes.map((size) => (
        <div key={size} className="flex flex-wrap items-center gap-3">
          {variants.map((variant) => (
            <Button key={variant} size={size} variant={variant}>
              {t(variant)}
            </Button>
          ))}
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-3">
        <Button pending={pending} onClick={() => setPending(true)}>
          {t('pending')}
        </Button>
        <IconButton label={t('secondary')} onClick={() => setPending(false)}>
          <Pencil aria-hidden="true" className="size-4" />
        </IconButton>
        <IconButton label={t('disabled')} aria-disabled>
          <RefreshCw aria-hidden="true" className="size-4" />
        </IconButton>
      </div>
    </div>
  )
}

export function ConfirmExample() {
  const t = useTranslations('gallery.dialogs')
  const [open, setOpen] = useState(false)
  const [tries, setTries] = useState(0)
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        {t('confirm')}
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={t('confirmTitle')}
        text={t('confirmText')}
        confirm={t('confirmVerb')}
        onConfirm={async () => {
          // the first attempt fails, to show a failure
          setTries(tries + 1)
          return tries % 2 === 0 ? t('confirmFailed') : undefined
        }}
      />
    </>
  )
}

export function LongExample() {
  const t = useTranslations('gallery.dialogs')
  const tu = useTranslations('ui')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        {t('long')}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={t('longTitle')} size="L">
        <DialogBody label={t('longTitle')} className="grid gap-3">
          {Array.from({ length: 40 }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same paragraph forty times
            <p key={index}>{t('paragraph', { number: index + 1 })}</p>
          ))}
        </DialogBody>
        <DialogFooter>
          <DialogCancel>{tu('close')}</DialogCancel>
        </DialogFooter>
      </Dialog>
    </>
  )
}

export function TabsExample() {
  const t = useTranslations('gallery.tabs')
  return (
    <div className="grid gap-6">
      <LinkTabs
        label={t('pages')}
        current="/platform/dev/ui"
        tabs={[
          { href: '/platform/dev/ui', label: t('outgoing') },
          { href: '/platform/dev/ui/list', label: t('incoming'), badge: 3 },
        ]}
      />
      <Tabs
        label={t('label')}
        tabs={[
          { id: 'ru', label: t('ru'), badge: 12, content: t('panel', { language: t('ru') }) },
          {
            id: 'en',
            label: t('en'),
            errors: { count: 2, label: t('errors', { count: 2 }) },
            content: t('panel', { language: t('en') }),
          },
        ]}
      />
    </div>
  )
}

export function Notices() {
  const t = useTranslations('gallery.notices')
  return (
    <div className="flex flex-wrap gap-3">
      <Button variant="secondary" onClick={() => showNotice({ type: 'ok', text: t('okText') })}>
        {t('ok')}
      </Button>
      <Button
        variant="secondary"
        onClick={() => showNotice({ type: 'error', title: t('error'), text: t('errorText') })}
      >
        {t('error')}
      </Button>
      <Button
        variant="secondary"
        onClick={() => showNotice({ type: 'warning', text: t('warningText'), timeout: 6000, shouldClose: true })}
      >
        {t('warning')}
      </Button>
      <Button
        variant="secondary"
        onClick={() =>
          showNotice({
            type: 'info',
            text: t('linkText'),
            timeout: 6000,
            link: { href: '/platform/dev/ui/list', text: t('linkLabel') },
          })
        }
      >
        {t('link')}
      </Button>
    </div>
  )
}

export function PartFailedExample() {
  return <PartFailed retry={() => window.location.reload()} />
}
