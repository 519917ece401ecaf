import { notifications } from '@mantine/notifications'

/** Says that an act succeeded. Failures are never shown so: they stay where they happened. */
export const toast = (message: string): void => void notifications.show({ message, color: 'teal', autoClose: 4000 })
