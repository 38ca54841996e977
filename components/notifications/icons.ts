import {
  FileCheck,
  Globe,
  Handshake,
  KeyRound,
  LogOut,
  Megaphone,
  Merge,
  MonitorSmartphone,
  ShieldMinus,
  ShieldPlus,
  Stamp,
  ToggleLeft,
  Unplug,
  UserRoundPlus,
} from 'lucide-react'
import type { ComponentType } from 'react'
import type { Notice } from '@/lib/news/notifications/contract'

/** The icon of each kind of notification. */
export const noticeIcons: Record<Notice['kind'], ComponentType<{ className?: string; strokeWidth?: number }>> = {
  newDevice: MonitorSmartphone,
  passwordChanged: KeyRound,
  sessionsEnded: LogOut,
  invitation: Handshake,
  requestDecided: Stamp,
  accessRequested: UserRoundPlus,
  roleGiven: ShieldPlus,
  roleTaken: ShieldMinus,
  accessSwitched: ToggleLeft,
  companiesMerged: Merge,
  agreementReminder: FileCheck,
  webhookDisabled: Unplug,
  hostsAdded: Globe,
  news: Megaphone,
}
