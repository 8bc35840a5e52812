"""What the agent says at the end: claims, questions, abstentions."""
