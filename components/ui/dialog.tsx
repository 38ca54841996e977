'use client'

import * as Radix from '@radix-ui/react-dialog'
import { X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { AskPanel } from './ask-panel'
import { Button } from './button'
import { cn } from './cn'
import { IconButton } from './icon-button'
import { type FormState, UnsavedScope } from './unsaved'
import { useReturnFocus } from './use-return-focus'

/** Closes the dialog around it; pressing *Cancel* discards the input. */
const Canceling = createContext<() => void>(() => {})

type Props = {
  open: boolean
  /** Called when it may close. A form closes it after saving by `open`. */
  onOpenChange: (open: boolean) => void
  title: ReactNode
  /** One sentence below the title. */
  text?: ReactNode
  size?: keyof typeof sizes
  children: ReactNode
}

const sizes = { S: 'sm:max-w-[27rem]', M: 'sm:max-w-[36rem]', L: 'sm:max-w-[54rem]' }

/** The first field, unless the on-screen keyboard would then cover half of a phone. */
function firstField(panel: HTMLElement): HTMLElement {
  const field = 'input:not([type=hidden],[type=file]), textarea, button[role=combobox]'
  const focusTarget = window.matchMedia('(pointer: coarse)').matches
    ? null
    : panel.querySelector<HTMLElement>(`[data-dialog-body] :is(${field})`)
  return focusTarget ?? panel
}

/**
 * A modal dialog, on a phone a sheet. It contains a DialogBody, which scrolls, and a DialogFooter, both inside the Form
 * if there is one. Esc, the cross and a click outside ask first if a form in it has unsaved input.
 */
export function Dialog({ open, onOpenChange, title, text, size = 'M', children }: Props) {
  const t = useTranslations('ui')
  const forms = useRef(new Map<string, FormState>())
  const [asking, setAsking] = useState(false)
  const { remember, giveBack } = useReturnFocus()

  const report = useCallback((id: string, state: FormState | null) => {
    if (state) forms.current.set(id, state)
    else forms.current.delete(id)
  }, [])
  const cancel = () => {
    if (![...forms.current.values()].some(({ busy }) => busy)) onOpenChange(false)
  }
  const close = () => {
    if ([...forms.current.values()].some(({ dirty, busy }) => dirty && !busy)) setAsking(true)
    else cancel()
  }
  return (
    <Radix.Root open={open} onOpenChange={(next) => (next ? onOpenChange(true) : close())}>
      <Radix.Portal>
        <Radix.Overlay className="dialog-overlay z-50">
          <Radix.Content
            aria-describedby={undefined}
            tabIndex={-1}
            data-quiet-focus
            onOpenAutoFocus={(event) => {
              remember()
              event.preventDefault()
              if (event.currentTarget instanceof HTMLElement) firstField(event.currentTarget).focus()
            }}
            onCloseAutoFocus={giveBack}
            onInteractOutside={(event) => {
              // a click on a snackbar above the dialog doesn't close it
              if (event.target instanceof Element && event.target.closest('[data-sonner-toaster]'))
                event.preventDefault()
            }}
            className={cn('dialog-panel', sizes[size])}
          >
            <UnsavedScope value={report}>
              <Canceling value={cancel}>
                <header className="flex items-start gap-4 px-5 pt-4 pb-3 sm:px-6 sm:pt-5">
                  <div className="grid min-w-0 grow gap-1">
                    <Radix.Title className="text-section">{title}</Radix.Title>
                    {text ? <Radix.Description className="text-ink-second text-table">{text}</Radix.Description> : null}
                  </div>
                  <IconButton quiet label={t('close')} onClick={close} className="-mt-1.5 -mr-2.5">
                    <X aria-hidden="true" className="size-5" />
                  </IconButton>
                </header>
                {children}
              </Canceling>
            </UnsavedScope>
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
      <AskPanel
        open={asking}
        onOpenChange={setAsking}
        title={t('unsaved.title')}
        text={t('unsaved.text')}
        cancel={t('unsaved.stay')}
        confirm={t('unsaved.leave')}
        onConfirm={() => {
          setAsking(false)
          onOpenChange(false)
        }}
      />
    </Radix.Root>
  )
}

/**
 * The content of a dialog; it scrolls if it is long. A body of plain text needs a `label`, so that keys can scroll it.
 * If it is loaded after the dialog has opened, its first field then gets the focus.
 */
export function DialogBody({ label, className, ...rest }: ComponentProps<'div'> & { label?: string }) {
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const panel = body.current?.closest<HTMLElement>('[role=dialog]')
    if (panel && document.activeElement === panel) firstField(panel).focus()
  }, [])
  return (
    <div
      {...rest}
      ref={body}
      {...(label ? { role: 'region', 'aria-label': label, tabIndex: 0 } : {})}
      data-dialog-body=""
      className={cn('min-h-0 grow overflow-y-auto overscroll-contain px-5 pt-1 pb-5 sm:px-6', className)}
    />
  )
}

/** The buttons: always visible, the safe answer first. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <footer className="flex flex-wrap items-center justify-end gap-2 border-line border-t px-5 py-4 max-sm:*:grow sm:px-6 print:hidden">
      {children}
    </footer>
  )
}

/** Closes the dialog without a change and without a question. */
export function DialogCancel({ children }: { children?: ReactNode }) {
  const t = useTranslations('ui')
  const cancel = use(Canceling)
  return (
    <Button variant="secondary" onClick={cancel}>
      {children ?? t('cancel')}
    </Button>
  )
}
