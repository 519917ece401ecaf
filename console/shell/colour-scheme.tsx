import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'

const schemes = [
  { value: 'light', label: 'Light', Icon: IconSun },
  { value: 'dark', label: 'Dark', Icon: IconMoon },
  { value: 'auto', label: 'System', Icon: IconDeviceDesktop },
] as const

export function ColourScheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { Icon } = schemes.find(({ value }) => value === colorScheme) ?? schemes[2]
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" c="inherit" size="lg" aria-label="Colour scheme">
          <Icon size={20} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map(({ value, label, Icon: Mark }) => (
          <Menu.Item
            key={value}
            leftSection={<Mark size={16} />}
            rightSection={value === colorScheme && <IconCheck size={16} aria-label="chosen" />}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
