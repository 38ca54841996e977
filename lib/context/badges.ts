import { countBadge } from '@/lib/kernel/navigation/badges'
import { openMatters } from '@/lib/operations/overview/service'

// imported for its effect by whatever composes contexts: the menu's numbers are counted in wings that it doesn't know
countBadge('Platform', openMatters)
