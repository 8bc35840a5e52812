"""What readers of several formats share: loosely typed JSON, chat-completion messages."""
